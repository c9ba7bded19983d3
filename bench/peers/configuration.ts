import { inline } from '../../main/tunnel/openvpn/loopback-server.testing'
import type { Setting } from '../wireguard-process'

/** Returns the configuration of OpenVPN as a portal offers it for download. */
export function downloadedConfiguration({ openVpn: { profile, certificate, privateKey } }: Setting): string {
  return `${profile}\n${inline('cert', certificate)}\n${inline('key', privateKey)}\n`
}
