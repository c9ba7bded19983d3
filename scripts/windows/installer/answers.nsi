# Answers the questions of an installer until it is ended, and writes each into the file "asked" beside it.
Unicode true
Target amd64-unicode
Name "answers"
SilentInstall silent
RequestExecutionLevel user

!include LogicLib.nsh
!define WM_COMMAND 0x0111
!define ID_OK 1
!define ID_YES 6
# The text of a message box.
!define TEXT 0xffff

Section
  StrCpy $0 0
  ${Do}
    System::Call 'user32::FindWindowExW(p 0, p r0, w "#32770", p 0) p .r0'
    ${If} $0 P= 0
      Sleep 50
      ${Continue}
    ${EndIf}
    System::Call 'user32::GetDlgItem(p r0, i ${TEXT}) p .r1'
    ${If} $1 P= 0
      ${Continue}
    ${EndIf}
    System::Call 'user32::GetWindowTextW(p r1, w .r2, i 1000)'
    # The window exists before it has its text.
    ${If} $2 == ""
      StrCpy $0 0
      Sleep 50
      ${Continue}
    ${EndIf}
    FileOpen $3 "$EXEDIR\asked" a
    FileSeek $3 0 END
    FileWriteUTF16LE $3 "$2$\r$\n$\r$\n"
    FileClose $3
    System::Call 'user32::GetDlgItem(p r0, i ${ID_YES}) p .r1'
    ${If} $1 P= 0
      StrCpy $1 ${ID_OK}
    ${Else}
      StrCpy $1 ${ANSWER}
    ${EndIf}
    System::Call 'user32::PostMessageW(p r0, i ${WM_COMMAND}, p r1, p 0)'
    ${Do}
      Sleep 50
      System::Call 'user32::IsWindow(p r0) i .r1'
    ${LoopUntil} $1 = 0
    StrCpy $0 0
  ${Loop}
SectionEnd
