function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

/**
 * The Content-Disposition of a file to be saved under this name (RFC 6266), whatever the name holds: in full as
 * `filename*` (RFC 8187), and in ASCII for those who do not know it. The name must have no lone surrogates.
 */
export function contentDisposition(fileName: string): string {
  const ascii = fileName.replace(/[^ -~]/g, '_').replace(/["\\]/g, '\\$&')
  return `attachment; filename="${ascii}"; filename*=UTF-8''${percentEncode(fileName)}`
}
