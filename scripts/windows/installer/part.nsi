# Causeway's part of the installer without electron-builder's, for the tests. The Wine of the tests runs 64-bit programs only.
Unicode true
Target amd64-unicode
Name "Causeway"
RequestExecutionLevel admin
InstallDir "C:\Program Files\Causeway"
AutoCloseWindow true

!include MUI2.nsh
# Of electron-builder.
!define APP_FILENAME "Causeway"
!define isUpdated "1 = 0"
!include "${BUILD_RESOURCES_DIR}/windows/installer.nsh"

!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "Arabic"
!insertmacro MUI_LANGUAGE "German"
!insertmacro MUI_LANGUAGE "SpanishInternational"
!insertmacro MUI_LANGUAGE "French"
!insertmacro MUI_LANGUAGE "Italian"
!insertmacro MUI_LANGUAGE "Japanese"
!insertmacro MUI_LANGUAGE "Dutch"
!insertmacro MUI_LANGUAGE "Polish"
!insertmacro MUI_LANGUAGE "PortugueseBR"
!insertmacro MUI_LANGUAGE "Turkish"
!insertmacro MUI_LANGUAGE "Ukrainian"
!insertmacro customHeader

Function .onInit
  SetRegView 64
  !insertmacro customInit
FunctionEnd

Section
  SetOutPath $INSTDIR
  File /oname=Causeway.txt "${__FILE__}"
  !insertmacro customInstall
SectionEnd
