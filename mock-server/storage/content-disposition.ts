function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/**
 * Returns a Content-Disposition for saving under this name (RFC 6266): the full name as `filename*` (RFC 8187), and an
 * ASCII version for older clients. The name must have no lone surrogates.
 */
export function contentDisposition(fileName: string): string {
  const ascii = fileName.replace(/[^ -~]/g, '_').replace(/["\\]/g, '\\$&')
  return `attachment; filename="${ascii}"; filename*=UTF-8''${percentEncode(fileName)}`
}
