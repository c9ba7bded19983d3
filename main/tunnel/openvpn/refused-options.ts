/**
 * The options of OpenVPN 2.5 to 2.7 on every system that a profile may not use. `ignore-unknown-option` and `setenv opt`
 * don't make them harmless: OpenVPN knows them, and would do what they say.
 */
const refused = new Set(
  `
  allow-deprecated-insecure-static-crypto allow-nonadmin allow-pull-fqdn allow-recursive-routing askpass
  auth-gen-token auth-gen-token-secret auth-token auth-token-user auth-user-pass auth-user-pass-optional
  auth-user-pass-verify bcast-buffers bind bind-dev capath ccd-exclusive cd chroot client-cert-not-required
  client-config-dir client-connect client-crresponse client-disconnect client-nat client-to-client compat-mode
  compat-names config connection connect-freq connect-freq-initial crl-verify cryptoapicert daemon dev-node dh dhcp-internal
  disable dns-updown down down-pre duplicate-cn echo engine errors-to-stderr extra-certs
  force-tls-key-material-export foreign-option genkey gremlin hash-size help http-proxy http-proxy-option
  http-proxy-override http-proxy-retry http-proxy-timeout http-proxy-user-pass ifconfig ifconfig-ipv6
  ifconfig-ipv6-pool ifconfig-ipv6-push ifconfig-noexec ifconfig-nowarn ifconfig-pool ifconfig-pool-persist
  ifconfig-push ifconfig-push-constraint inactive inetd ip-remote-hint ipchange iproute iroute iroute-ipv6
  key-derivation keying-material-exporter learn-address lladdr local log log-append machine-readable-output
  management management-client management-client-auth management-client-group management-client-pf
  management-client-user management-external-cert management-external-key management-forget-disconnect
  management-hold management-log-cache management-query-passwords management-query-proxy management-query-remote
  management-signal management-up-down mark max-clients max-packet-size max-routes-per-client memstats mktun 
  mode msg-channel mtu-dynamic mtu-test multihome no-name-remapping no-replay opt-verify override-username
  parameter pause-exit peer-fingerprint peer-id ping-exit
  pkcs11-cert-private pkcs11-id pkcs11-id-management pkcs11-pin-cache pkcs11-private-mode
  pkcs11-protected-authentication pkcs11-providers pkcs12 plugin port-share proto-force protocol-flags
  providers pull-filter push push-continuation push-remove push-reset rdns-internal redirect-private remap-usr1
  remote-cert-eku remote-cert-ku remote-random-hostname replay-persist rmtun route-ipv6-gateway route-noexec
  route-nopull route-pre-down route-table route-up script-security secret server server-bridge server-ipv6 service
  session-timeout setcon setenv-safe shaper show-adapters show-ciphers show-curves show-digests show-engines
  show-gateway show-groups show-net show-pkcs11-ids show-tls show-valid-subnets single-session socks-proxy
  socks-proxy-retry stale-routes-check static-challenge status status-version suppress-timestamps syslog
  tcp-queue-limit test-crypto tls-crypt-v2-max-age tls-crypt-v2-verify tls-exit tls-export-cert
  tls-server tls-verify tmp-dir udp-mtu up up-delay up-restart use-prediction-resistance
  username-as-common-name verify-client-cert verify-hash version vlan-accept vlan-pvid vlan-tagging win-sys
  writepid x509-track x509-username-field
  `
    .trim()
    .split(/\s+/),
)

/** Returns true for an option that OpenVPN knows and `allowed-directives.json` doesn't have. */
export function isOptionOfOpenVpn(name: string): boolean {
  return refused.has(name)
}
