import type { Instance } from '../../portal/instance/instance'
import { displayText } from '../../portal/organization-list/search'

/** An instance as it is printed, its organization's name in the best of these languages. */
export function instanceJson(instance: Instance, languages: readonly string[]): Instance {
  const { organization } = instance
  if (organization === undefined) return instance
  const displayName = displayText(organization.displayName, languages)
  return { ...instance, organization: { ...organization, displayName } }
}
