import packageJson from '../../../package.json' with { type: 'json' }

/** Returns the name of an operating system as people write it. */
export function systemName(platform: NodeJS.Platform): string {
  if (platform === 'win32') return 'Windows'
  return platform === 'darwin' ? 'macOS' : 'Linux'
}

/** What every request names as its sender: nothing of the computer or the person but the operating system. */
export const userAgent = `Causeway/${packageJson.version} (${systemName(process.platform)})`
