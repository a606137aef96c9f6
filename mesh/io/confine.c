/* A seccomp filter without fork, and a Landlock rule set without writing. The scripting languages of meshers start
 * programs by a shell in a new process; a filter of system calls cannot be talked round, whatever a script builds from
 * strings or includes from other files. (man 2 seccomp, man 7 landlock) */
#include "mesh/io/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __linux__ && (defined __x86_64__ || defined __aarch64__)
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>

#ifdef __x86_64__
#define NATIVE AUDIT_ARCH_X86_64
#else
#define NATIVE AUDIT_ARCH_AARCH64
#endif

#define LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, member))
#define IF_EQUAL(value, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (then), (otherwise))
#define IF_ANY_BIT(bits, then, otherwise) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), (then), (otherwise))
#define ANSWER(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (error))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* clone3 has its flags in memory, where no filter sees them; told that it does not exist, the C library takes clone. */
static int forbid_processes(void) {
  static const struct sock_filter filter[] = {
      LOAD(arch),
      IF_EQUAL(NATIVE, 1, 0),
      ANSWER(EPERM), /* a 32-bit call */
      LOAD(nr),
#ifdef __x86_64__
      IF_ANY_BIT(0x40000000u, 0, 1),
      ANSWER(EPERM), /* an x32 call */
      IF_EQUAL(SYS_fork, 0, 1),
      ANSWER(EPERM),
      IF_EQUAL(SYS_vfork, 0, 1),
      ANSWER(EPERM),
#endif
      IF_EQUAL(SYS_ptrace, 0, 1),
      ANSWER(EPERM),
      IF_EQUAL(SYS_clone3, 0, 1),
      ANSWER(ENOSYS),
      IF_EQUAL(SYS_clone, 0, 3),
      LOAD(args[0]), /* its lower half: little-endian */
      IF_ANY_BIT(CLONE_THREAD, 1, 0),
      ANSWER(EPERM),
      ALLOW,
  };
  const struct sock_fprog program = {sizeof filter / sizeof *filter, (struct sock_filter *)(uintptr_t)filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) return errno;
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) ? errno : 0;
}
#else
static int forbid_processes(void) { return ENOSYS; }
#endif

/* Numbers of the kernel's interface: headers of older systems lack the later ones. */
enum { LANDLOCK_CREATE = 444, LANDLOCK_ADD = 445, LANDLOCK_RESTRICT = 446, LANDLOCK_PATH = 1 };
enum { WRITE_FILE = 1 << 1, REMOVE_AND_MAKE = 0x1ff0, REFER = 1 << 13, TRUNCATE = 1 << 14 };

typedef struct PathRule {
  uint64_t allowed;
  int32_t parent;
} __attribute__((packed)) PathRule;

static void allow_writing(int rules, const char *path, uint64_t rights) {
  const int file = open(path, O_PATH | O_CLOEXEC);
  if (file < 0) return;
  const PathRule rule = {rights, file};
  (void)syscall(LANDLOCK_ADD, rules, LANDLOCK_PATH, &rule, 0);
  close(file);
}

/* As far as this kernel can: without Landlock files may be written. */
static void forbid_writing(const char *writable) {
  const long version = syscall(LANDLOCK_CREATE, NULL, 0, 1);
  if (version < 1) return;
  const uint64_t file = WRITE_FILE | (version >= 3 ? TRUNCATE : 0);
  const uint64_t all = file | REMOVE_AND_MAKE | (version >= 2 ? REFER : 0);
  const int rules = (int)syscall(LANDLOCK_CREATE, &all, sizeof all, 0);
  if (rules < 0) return;
  allow_writing(rules, writable, file);
  allow_writing(rules, "/dev/null", file);
  (void)syscall(LANDLOCK_RESTRICT, rules, 0);
  close(rules);
}

int confine_process(const char *writable) {
  const int error = forbid_processes();
  if (error == 0) forbid_writing(writable);
  return error;
}
