# Causeway's part of the uninstaller without electron-builder's, for the tests: a program that writes it into the folder.
Unicode true
Target amd64-unicode
Name "Causeway"
RequestExecutionLevel admin
InstallDir "C:\Program Files\Causeway"
!define APP_FILENAME "Causeway"
SilentInstall silent

!include MUI2.nsh
# Of electron-builder.
!define BUILD_UNINSTALLER
!include LogicLib.nsh
!include FileFunc.nsh
!macro _isUpdated _a _b _t _f
  ${GetParameters} $R9
  ClearErrors
  ${GetOptions} $R9 "--updated" $R8
  IfErrors `${_f}` `${_t}`
!macroend
!define isUpdated `"" isUpdated ""`
!include "${BUILD_RESOURCES_DIR}/windows/installer.nsh"
!insertmacro MUI_UNPAGE_INSTFILES
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

Section
  WriteUninstaller "$INSTDIR\Uninstall.exe"
SectionEnd

Section "un.Uninstall"
  !insertmacro customUnInstall
  # Of electron-builder, which deletes all files.
  Delete "$INSTDIR\Causeway.txt"
SectionEnd
