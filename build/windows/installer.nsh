# Causeway's part of the installer: it installs Causeway's service, which makes WireGuard tunnels, and offers OpenVPN, whose service
# sets up the others (docs/install.md). electron-builder includes this file and inserts its macros.

!include LogicLib.nsh
# The texts name its versions.
!include "${BUILD_RESOURCES_DIR}/windows/openvpn.nsh"

!define OPENVPN_OLDEST "${OPENVPN_OLDEST_MAJOR}.${OPENVPN_OLDEST_MINOR}"
# The upper half of a file version.
!define /math OPENVPN_OLDEST_HIGH ${OPENVPN_OLDEST_MAJOR} * 65536
!define /math OPENVPN_OLDEST_NUMBER ${OPENVPN_OLDEST_HIGH} + ${OPENVPN_OLDEST_MINOR}

!ifndef BUILD_UNINSTALLER

!define MUI_FINISHPAGE_TEXT "$(openVpnGroup)"
!define MUI_FINISHPAGE_TEXT_LARGE

# After the languages, which the texts need, and the folder of the plug-ins, which the functions need.
!macro customHeader
  !include "${BUILD_RESOURCES_DIR}/windows/texts.nsh"
  !include "${BUILD_RESOURCES_DIR}/windows/functions.nsh"
!macroend

!macro customInit
  Call checkFolder
!macroend

!macro customInstall
  Call installService
  Call offerOpenVpn
!macroend

!else

!macro customHeader
  !include "${BUILD_RESOURCES_DIR}/windows/texts.nsh"
  !include "${BUILD_RESOURCES_DIR}/windows/uninstaller-functions.nsh"
!macroend

# Before the files are removed.
!macro customUnInstall
  Call un.endService
!macroend

!endif
