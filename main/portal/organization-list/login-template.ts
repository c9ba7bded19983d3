import { safeUrl } from '../../../contract/safe-url'

const returnMark = '@RETURN_TO@'
const organizationMark = '@ORG_ID@'

/**
 * Returns the address to open instead of the authorization request, which skips the choice of the organization
 * (api-v3-facts.md, section 9.2). Undefined if the template lacks a placeholder.
 */
export function fillLoginTemplate(
  template: string,
  { returnTo, orgId }: { readonly returnTo: URL; readonly orgId: string },
): URL | undefined {
  if (!template.includes(returnMark) || !template.includes(organizationMark)) return undefined
  const filled = template
    .replace(returnMark, () => formEncoded(returnTo.href))
    .replace(organizationMark, () => formEncoded(orgId))
  return safeUrl('request', filled)
}

/** As in a form: a space is `+`. */
function formEncoded(text: string): string {
  return new URLSearchParams({ text }).toString().slice('text='.length)
}
