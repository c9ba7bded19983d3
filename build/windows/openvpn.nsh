# The OpenVPN that Causeway's installer offers (docs/releasing.md). The tests read this file too.

# What Causeway works with (main/tunnel/openvpn/find-openvpn.ts).
!define OPENVPN_OLDEST_MAJOR 2
!define OPENVPN_OLDEST_MINOR 5

!define OPENVPN_VERSION "2.6.19"
!define OPENVPN_RELEASES "https://swupdate.openvpn.org/community/releases"
!define OPENVPN_PUBLISHER "OpenVPN Inc."

!ifdef APP_ARM64
  !define OPENVPN_FILE "OpenVPN-${OPENVPN_VERSION}-I001-arm64.msi"
  !define OPENVPN_SHA256 "46a5f679ea343120b8bbdabe5654bfd0621d58b14e461f75b0f620417d60a0e5"
!else
  !define OPENVPN_FILE "OpenVPN-${OPENVPN_VERSION}-I001-amd64.msi"
  !define OPENVPN_SHA256 "fe9bde20bb03ec5b6e150c89dcd90e2d484cd5bb00266ffeaf47e2d3131473b2"
!endif
