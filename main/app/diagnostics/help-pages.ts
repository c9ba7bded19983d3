import type { HelpPage } from '../../../contract/choices'

/** The pages that the window opens for a finding. In its own file because the findings start programs, which neither help nor the window's start needs. */
export const helpPages: Readonly<Record<HelpPage, URL>> = {
  'openvpn-download': new URL('https://openvpn.net/community-downloads/'),
  macports: new URL('https://www.macports.org/install.php'),
}
