# What Causeway's part of the installer does (installer.nsh).

# Takes the folder $1, and returns from the function, if it is below another one.
!macro acceptBelow PARENT
  StrLen $3 "${PARENT}"
  StrCpy $4 $1 $3
  ${If} $4 == "${PARENT}"
  ${AndIf} $1 != $4
    StrCpy $INSTDIR $1
    Return
  ${EndIf}
!macroend

# Ends the installer, before it installs anything, unless its folder is below "Program Files". Elsewhere, users without
# administrator rights may be able to change the programs. The option /D or an earlier installation can name any folder.
Function checkFolder
  StrCpy $0 $INSTDIR
  # Without "..", and with backslashes alone.
  System::Call 'kernel32::GetFullPathNameW(w r0, i ${NSIS_MAX_STRLEN}, w .r1, p 0) i .r2'
  ${If} $2 > 0
  ${AndIf} $2 < ${NSIS_MAX_STRLEN}
    !insertmacro acceptBelow "$PROGRAMFILES64\"
    !insertmacro acceptBelow "$PROGRAMFILES32\"
  ${EndIf}
  MessageBox MB_OK|MB_ICONSTOP "$(wrongFolder)" /SD IDOK
  SetErrorLevel 2
  Quit
FunctionEnd

# Installs Causeway's service, or has that of an earlier version start this program.
Function installService
  nsExec::Exec '"$INSTDIR\resources\helper\causeway-service.exe" install'
  Pop $0
  ${If} $0 != "0"
    MessageBox MB_OK|MB_ICONEXCLAMATION "$(serviceNotInstalled)" /SD IDOK
  ${EndIf}
FunctionEnd

# Sets $0 to "ready" if there is an OpenVPN that Causeway works with, and its service.
Function findOpenVpn
  StrCpy $0 "missing"
  ReadRegStr $1 HKLM "SYSTEM\CurrentControlSet\Services\OpenVPNServiceInteractive" "ImagePath"
  # As the service finds the program.
  ReadRegStr $2 HKLM "Software\OpenVPN" ""
  ReadRegStr $3 HKLM "Software\OpenVPN" "exe_path"
  ${If} $1 == ""
  ${OrIf} $2 == ""
    Return
  ${EndIf}
  ${If} $3 == ""
    StrCpy $3 "$2\bin\openvpn.exe"
  ${EndIf}
  ClearErrors
  GetDLLVersion "$3" $4 $5
  ${IfNot} ${Errors}
  ${AndIf} $4 >= ${OPENVPN_OLDEST_NUMBER}
    StrCpy $0 "ready"
  ${EndIf}
FunctionEnd

Function offerOpenVpn
  # A silent installation asks nobody, and installs nothing else. Causeway reports a missing OpenVPN.
  ${If} ${Silent}
  ${OrIf} ${isUpdated}
    Return
  ${EndIf}
  Call findOpenVpn
  ${If} $0 == "ready"
    Return
  ${EndIf}
  MessageBox MB_YESNO|MB_ICONQUESTION "$(openVpnNeeded)" IDYES install
  Return
install:
  # Only administrators can write below this folder: nobody can swap the file after it was checked.
  StrCpy $6 "$PROGRAMFILES64\${APP_FILENAME} OpenVPN setup"
  StrCpy $7 "$6\${OPENVPN_FILE}"
  RMDir /r "$6"
  CreateDirectory "$6"
  ${If} ${FileExists} "$EXEDIR\${OPENVPN_FILE}"
    CopyFiles /SILENT "$EXEDIR\${OPENVPN_FILE}" "$7"
  ${Else}
    SetDetailsPrint textonly
    DetailPrint "$(openVpnDownloading)"
    SetDetailsPrint none
    # It follows the proxy settings of the system.
    System::Call 'urlmon::URLDownloadToFileW(p 0, w "${OPENVPN_RELEASES}/${OPENVPN_FILE}", w r7, i 0, p 0) i .r0'
    ${If} $0 <> 0
      RMDir /r "$6"
      MessageBox MB_OK|MB_ICONEXCLAMATION "$(openVpnNotDownloaded)$\r$\n$\r$\n$(openVpnLater)"
      Return
    ${EndIf}
  ${EndIf}
  nsExec::Exec '"$INSTDIR\resources\helper\causeway-helper.exe" check-installer "$7" "${OPENVPN_PUBLISHER}" ${OPENVPN_SHA256}'
  Pop $0
  ${If} $0 != "0"
    RMDir /r "$6"
    MessageBox MB_OK|MB_ICONSTOP "$(openVpnRefused)$\r$\n$\r$\n$(openVpnLater)"
    Return
  ${EndIf}
  ExecWait '"$SYSDIR\msiexec.exe" /i "$7"'
  RMDir /r "$6"
  Call findOpenVpn
  ${If} $0 != "ready"
    MessageBox MB_OK|MB_ICONEXCLAMATION "$(openVpnNotInstalled)$\r$\n$\r$\n$(openVpnLater)"
  ${EndIf}
FunctionEnd
