/** Returns whether an error of the file system says that there is no room: on the disk, or left for this user. */
export function isDiskFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
