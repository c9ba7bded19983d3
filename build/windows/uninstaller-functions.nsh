# What Causeway's part of the uninstaller does (installer.nsh).

!include LogicLib.nsh

# Ends the tunnel. For an update, the service stays installed, and a kill switch up: nothing passes beside it in between. If something
# can't be undone, nothing is removed: the program that could undo it would be gone.
Function un.endService
  ${If} ${isUpdated}
    nsExec::Exec '"$SYSDIR\net.exe" stop CausewayService'
    # It may not run.
    Pop $0
    Return
  ${EndIf}
  nsExec::Exec '"$INSTDIR\resources\helper\causeway-service.exe" remove'
  Pop $0
  # "error" is a program that doesn't start, such as one that a virus scanner has taken away: it will undo nothing later, either.
  ${If} $0 == "0"
  ${OrIf} $0 == "error"
    Return
  ${EndIf}
  MessageBox MB_OK|MB_ICONSTOP "$(serviceNotRemoved)" /SD IDOK
  SetErrorLevel 2
  Quit
FunctionEnd
