import type { HelpPage } from '../../../contract/choices'

/** The pages that the window opens for a finding. Apart from the findings, which start programs: help and the window's start need none. */
export const helpPages: Readonly<Record<HelpPage, URL>> = {
  'openvpn-download': new URL('https://openvpn.net/community-downloads/'),
  macports: new URL('https://www.macports.org/install.php'),
}
