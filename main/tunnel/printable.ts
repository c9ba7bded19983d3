/** Makes an untrusted name of a directive or key printable and short. */
export function printable(name: string): string {
  return name.replace(/[^!-~]/g, '?').slice(0, 40)
}
