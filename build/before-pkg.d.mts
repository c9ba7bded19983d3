export function artifactBuildStarted(
  started: { readonly targetPresentableName: string; readonly file: string },
  installer?: string,
): Promise<void>
