# The terminal command for Nix: nix-build --expr 'with import <nixpkgs> {}; callPackage ./causeway.nix {}'
# A store can't give the helper its rights, so that tunnels need root: run the command with sudo.
{ lib, stdenvNoCC, fetchurl, dpkg, makeWrapper, nodejs, openvpn, iproute2, nftables }:

stdenvNoCC.mkDerivation {
  pname = "causeway-cli";
  version = "{{version}}";
  src = fetchurl {
    url = "{{address causeway-cli_*_amd64.deb}}";
    sha256 = "{{sha256 causeway-cli_*_amd64.deb}}";
  };
  nativeBuildInputs = [ dpkg makeWrapper ];
  unpackPhase = "dpkg-deb --extract $src .";
  dontBuild = true;
  dontPatchShebangs = true;
  installPhase = ''
    mkdir -p $out/lib $out/share
    cp -r usr/lib/causeway $out/lib/
    cp -r usr/share/man usr/share/bash-completion usr/share/fish $out/share/
    makeWrapper ${nodejs}/bin/node $out/bin/causeway \
      --add-flags $out/lib/causeway/out/main/cli.js \
      --prefix PATH : ${lib.makeBinPath [ openvpn iproute2 nftables ]}
  '';
  meta = {
    description = "VPN client for eduVPN and Let's Connect! portals (terminal only)";
    homepage = "{{homepage}}";
    license = lib.licenses.mit;
    platforms = [ "x86_64-linux" ];
    mainProgram = "causeway";
  };
}
