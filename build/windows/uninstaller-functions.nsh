# What Causeway's part of the uninstaller does (installer.nsh).

!include LogicLib.nsh

!define SC_MANAGER_CONNECT 1
!define SERVICE_QUERY_STATUS 4
!define ERROR_SERVICE_DOES_NOT_EXIST 1060

# Sets $0 to "absent" if Windows says that there is no service, and else to "unknown".
Function un.findService
  StrCpy $0 "unknown"
  System::Call 'advapi32::OpenSCManagerW(p 0, p 0, i ${SC_MANAGER_CONNECT}) p .r1'
  ${If} $1 P= 0
    Return
  ${EndIf}
  System::Call 'advapi32::OpenServiceW(p r1, w "CausewayService", i ${SERVICE_QUERY_STATUS}) p .r2 ?e'
  Pop $3
  ${If} $2 P<> 0
    System::Call 'advapi32::CloseServiceHandle(p r2)'
  ${ElseIf} $3 = ${ERROR_SERVICE_DOES_NOT_EXIST}
    StrCpy $0 "absent"
  ${EndIf}
  System::Call 'advapi32::CloseServiceHandle(p r1)'
FunctionEnd

# Ends the tunnel. For an update, the service stays installed, and a kill switch up: nothing passes beside it in between. Otherwise,
# nothing is removed unless the service's program says that all is undone, or there is no service: what is left needs that program.
Function un.endService
  ${If} ${isUpdated}
    nsExec::Exec '"$SYSDIR\net.exe" stop CausewayService'
    # It may not run.
    Pop $0
    Return
  ${EndIf}
  nsExec::Exec '"$INSTDIR\resources\helper\causeway-service.exe" remove'
  Pop $0
  ${If} $0 == "0"
    Return
  ${EndIf}
  # "error" is a program that doesn't start, such as one that a virus scanner has taken away.
  ${If} $0 == "error"
    Call un.findService
    ${If} $0 == "absent"
      Return
    ${EndIf}
    MessageBox MB_OK|MB_ICONSTOP "$(serviceNotStarted)" /SD IDOK
  ${Else}
    MessageBox MB_OK|MB_ICONSTOP "$(serviceNotRemoved)" /SD IDOK
  ${EndIf}
  SetErrorLevel 2
  Quit
FunctionEnd
