# Causeway's part of the uninstaller without electron-builder's, for the tests: a program that writes it into the folder.
Unicode true
Target amd64-unicode
Name "Causeway"
RequestExecutionLevel admin
InstallDir "C:\Program Files\Causeway"
SilentInstall silent
SilentUnInstall silent

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
!insertmacro customHeader

Section
  WriteUninstaller "$INSTDIR\Uninstall.exe"
SectionEnd

Section "un.Uninstall"
  !insertmacro customUnInstall
SectionEnd
