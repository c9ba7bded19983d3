/** Throws an Error unless the OpenVPN of the Windows installer is pinned for both processors. */
export function checkPinnedOpenVpn(tree: string): Promise<void>

/** Throws an Error unless the folder has all files of the Windows service. */
export function requireFiles(folder: string): void

export function beforePack(context: {
  readonly packager: { readonly projectDir: string }
  readonly electronPlatformName: string
}): Promise<void>
export function withoutKeys(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined>
