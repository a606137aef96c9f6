# An image with the program alone, for CPUs and one process:
#   docker build -t sinew .
#   docker run --rm --user "$(id -u):$(id -g)" -v "$PWD:/work" sinew run case.yaml
# No test builds it; tests/cli/bare_root.sh says its words in bare systems. The first stage makes the package of cpack, the second installs it with what it needs. dpkg-shlibdeps names the libraries.
FROM debian:12 AS build
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
      build-essential cmake ninja-build pkg-config git file ca-certificates \
      libhdf5-dev zlib1g-dev libmetis-dev libyaml-dev libpng-dev libsuitesparse-dev libopenblas0-serial
COPY . /source
RUN cmake -S /source -B /package -G Ninja -DCMAKE_BUILD_TYPE=Release -DSINEW_CUDA=OFF -DSINEW_TESTS=OFF \
 && cmake --build /package \
 && cpack --config /package/CPackConfig.cmake -B /deb

FROM debian:12
COPY --from=build /deb/*.deb /tmp/
RUN apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends /tmp/*.deb gmsh python3 libopenblas0-serial \
 && rm -rf /tmp/*.deb /var/lib/apt/lists/*
WORKDIR /work
ENTRYPOINT ["sinew"]
CMD ["--help"]
