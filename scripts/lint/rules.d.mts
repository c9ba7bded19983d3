/** Returns why a file may not import another, or undefined if it may. The paths are relative to the project's folder. */
export function importProblem(file: string, imported: string): string | undefined
