# What Causeway's part of the uninstaller does (installer.nsh).

!include LogicLib.nsh

# Ends the tunnel. For an update, the service stays installed, and a kill switch up: nothing passes beside it in between.
Function un.endService
  ${If} ${isUpdated}
    nsExec::Exec '"$SYSDIR\net.exe" stop CausewayService'
  ${Else}
    nsExec::Exec '"$INSTDIR\resources\helper\causeway-service.exe" remove'
  ${EndIf}
  # It may not be installed.
  Pop $0
FunctionEnd
