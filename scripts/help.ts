/** Prints the help and ends the process if its arguments ask for it. Call it before the program does anything. */
export function answerHelp(text: string): void {
  if (!process.argv.slice(2).some((word) => word === '--help' || word === '-h')) return
  console.log(text)
  process.exit(0)
}
