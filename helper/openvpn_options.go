//go:build !windows

package helper

import (
	_ "embed"
	"encoding/json"
	"regexp"
	"strings"
)

// Both files are shared with the app. Each entry of the first is an action, the beginning of a pushed option, and the
// reason; each of the second is an expression, and what replaces its matches.
var (
	//go:embed pushed-options.json
	pushedOptions string
	//go:embed log-secrets.json
	logSecrets []byte
)

// ownOptions returns the options that hold for every OpenVPN: later versions have defaults that earlier ones don't.
// OpenVPN compares a pushed option with the filters in order, before it removes quotes. So an option that is not accepted
// in its plain form is ignored, whatever its quotes, and a pushed `verb` can't silence the log.
// The file is read by its quotes: a JSON decoder would take a tenth of a millisecond before OpenVPN starts. A test compares
// the result with that of a JSON decoder.
func ownOptions() []string {
	// `client` is in each configuration, too. Without one, OpenVPN would open a device and accept packets in clear text.
	// From 2.7 on, it runs a script of its own with the server's DNS settings, also with script-security 1.
	options := strings.Fields("--client --dev-type tun --script-security 1 --ignore-unknown-option dns-updown --dns-updown disable " +
		"--verb 3 --suppress-timestamps --persist-tun")
	// An action, the beginning of an option, and a reason, each with what is between quotes before it.
	words := strings.Split(pushedOptions, `"`)
	for ; len(words) > 6; words = words[6:] {
		options = append(options, "--pull-filter", words[1], words[3])
	}
	return options
}

// logFilter removes key material from lines of OpenVPN's log.
type logFilter struct {
	expressions  []*regexp.Regexp
	replacements []string
}

func newLogFilter() (*logFilter, error) {
	secrets, filter := [][2]string{}, &logFilter{}
	if err := json.Unmarshal(logSecrets, &secrets); err != nil {
		return nil, err
	}
	for _, each := range secrets {
		compiled, err := regexp.Compile(each[0])
		if err != nil {
			return nil, err
		}
		filter.expressions = append(filter.expressions, compiled)
		filter.replacements = append(filter.replacements, each[1])
	}
	return filter, nil
}

func (f *logFilter) clean(line string) string {
	for index, each := range f.expressions {
		line = each.ReplaceAllString(line, f.replacements[index])
	}
	return line
}
