# A cask for Homebrew, in the folder Casks of a tap: brew install --cask causeway
cask "causeway" do
  version "{{version}}"
  sha256 "{{sha256 *.pkg}}"

  url "{{address *.pkg}}"
  name "Causeway"
  desc "VPN client for eduVPN and Let's Connect! portals"
  homepage "{{homepage}}"

  pkg "{{file *.pkg}}"

  uninstall early_script: {
              executable:   "/Applications/Causeway.app/Contents/MacOS/Causeway",
              args:         ["helper", "remove"],
              must_succeed: false,
            },
            quit:         "org.causeway.app",
            pkgutil:      "org.causeway.app",
            delete:       "/Applications/Causeway.app"

  zap trash: "~/Library/Application Support/causeway"

  caveats "OpenVPN has to come from MacPorts: sudo port install openvpn2"
end
