#!/bin/sh
# commits.sh REPOSITORY [SINCE]: subjects of the commits after SINCE are "area: imperative summary" of at most 100 letters, and a body
# says why (CONTRIBUTING.md, "Commits"). Older ones are not asked. Answers 77 where there is no history to read.
set -eu
cd "$1"
since=${2:-8309f2dfa6f35b3dc91721138dc331af8bc081be}
skip() { echo "skipped: $1"; exit 77; }
command -v git > /dev/null || skip "no git"
git rev-parse --git-dir > /dev/null 2>&1 || skip "no git repository"
[ "$(git rev-parse --is-shallow-repository)" = false ] || skip "the history is shallow"
git merge-base --is-ancestor "$since" HEAD 2> /dev/null || skip "$since is no ancestor of this commit"

bad=0
for commit in $(git rev-list --no-merges "$since..HEAD"); do
  subject=$(git log -1 --format=%s "$commit")
  wrong=
  case $subject in 'Revert "'*) continue ;; esac
  printf '%s\n' "$subject" | grep -Eq '^[a-z0-9.][A-Za-z0-9 ,_./+-]{0,40}: [^ ]' || wrong="the subject is not 'area: imperative summary'"
  [ "${#subject}" -le 100 ] || wrong="the subject has ${#subject} letters, of 100"
  [ -n "$(git log -1 --format=%b "$commit" | tr -d '[:space:]')" ] || wrong="no body says why"
  [ -z "$wrong" ] || { echo "$(git log -1 --format=%h "$commit") $subject: $wrong"; bad=1; }
done
[ $bad = 0 ] || { echo "what to do: git rebase -i $(git rev-parse --short "$since"), 'reword' (.gitmessage has the form)"; exit 1; }
