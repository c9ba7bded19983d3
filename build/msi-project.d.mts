/** Has the MSI refuse folders outside "Program Files", as build/windows/installer.nsh does. */
export function msiProjectCreated(file: string): Promise<void>
