export default function beforePkg(
  started: { readonly targetPresentableName: string; readonly file: string },
  installer?: string,
): Promise<void>
