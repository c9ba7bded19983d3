import packageJson from '../../../package.json' with { type: 'json' }

/** Returns the usual name of an operating system. */
export function systemName(platform: NodeJS.Platform): string {
  if (platform === 'win32') return 'Windows'
  return platform === 'darwin' ? 'macOS' : 'Linux'
}

/** The User-Agent of every request, which reveals nothing but the operating system. */
export const userAgent = `Causeway/${packageJson.version} (${systemName(process.platform)})`
