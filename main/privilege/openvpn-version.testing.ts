import { delimiter } from 'node:path'
import { execa } from 'execa'

/** Where tests find OpenVPN: users' paths often leave out the system's folder. */
export const openVpnPath = `${process.env.PATH ?? ''}${delimiter}/usr/sbin`

// It ends with status 1 after its version.
const { stdout: version } = await execa('openvpn', ['--version'], {
  env: { PATH: openVpnPath },
  reject: false,
})

/** Whether OpenVPN 2.5 is installed. It knows other options, and takes the place of a route that it finds, instead of failing. */
export const isOpenVpn25 = /OpenVPN 2\.5\.\d/.test(version)
