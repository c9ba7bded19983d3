const pattern =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Parses a date in the preferred format of HTTP (IMF-fixdate, RFC 9110, 5.6.7); undefined for anything else. */
export function parseHttpDate(text: string | null): Date | undefined {
  if (text === null || !pattern.test(text)) return undefined
  const date = new Date(text)
  // A day that doesn't exist, such as 31 February, would become another one.
  return date.toUTCString() === text ? date : undefined
}
