//go:build !windows

package helper

import "strings"

// appsMode says which apps of the caller use the tunnel.
type appsMode int

const (
	allApps appsMode = iota
	// exceptApps: all but the listed ones.
	exceptApps
	// onlyApps: the listed ones alone.
	onlyApps
)

const (
	// maxGroups limits the listed control groups of a tunnel.
	maxGroups = 256
	// firstLevel and lastLevel limit how deep a listed group is below the root of the hierarchy. Each level costs a comparison of
	// every packet.
	firstLevel, lastLevel = 3, 8
	maxGroupPath          = 1000
)

// appsRequest is what a request says of apps.
type appsRequest struct {
	mode appsMode
	// blocks is true if the kill switch also blocks the apps outside while the tunnel is down.
	blocks bool
	// groups holds those that are listed from the start.
	groups []groupPath
}

// groupPath is the path of a control group of one user's, from the root of the hierarchy.
type groupPath string

// appsFolder is the control group of all users' apps that the helper has moved, below the root of the hierarchy. Each user has one in it,
// and there one for each side.
const appsFolder = "causeway-apps"

var appSides = []string{"outside", "inside"}

func ownGroup(by caller, side string) groupPath {
	return groupPath("/" + appsFolder + "/" + by.String() + "/" + side)
}

// isOwn reports whether the helper makes this group for the user.
func (g groupPath) isOwn(by caller) bool {
	return g == ownGroup(by, appSides[0]) || g == ownGroup(by, appSides[1])
}

// parseGroupPath accepts what is below the user's slice of systemd, which holds all of that user's groups and nobody else's, and what
// the helper makes.
func parseGroupPath(text string, by caller) (groupPath, bool) {
	if len(text) > maxGroupPath || !strings.HasPrefix(text, "/") {
		return "", false
	}
	for _, char := range []byte(text) {
		if char <= ' ' || char > '~' {
			return "", false
		}
	}
	if groupPath(text).isOwn(by) {
		return groupPath(text), true
	}
	parts := groupPath(text).parts()
	for _, part := range parts {
		if part == "" || part == "." || part == ".." {
			return "", false
		}
	}
	if len(parts) < firstLevel || len(parts) > lastLevel {
		return "", false
	}
	return groupPath(text), parts[0] == "user.slice" && parts[1] == "user-"+by.String()+".slice"
}

func (g groupPath) parts() []string { return strings.Split(string(g[1:]), "/") }

// readApps reads the line `apps`, if there is one, and the lines `app` after it.
func readApps(lines *lineReader, by caller) (appsRequest, error) {
	read := appsRequest{}
	if !lines.nextIs("apps ") {
		return read, nil
	}
	line, err := lines.next()
	if err != nil {
		return appsRequest{}, err
	}
	switch line {
	case "apps except allow":
		read.mode = exceptApps
	case "apps except block":
		read.mode, read.blocks = exceptApps, true
	case "apps only block":
		read.mode, read.blocks = onlyApps, true
	default:
		return appsRequest{}, refused("apps")
	}
	for lines.nextIs("app ") {
		if line, err = lines.next(); err != nil {
			return appsRequest{}, err
		}
		group, ok := parseGroupPath(strings.TrimPrefix(line, "app "), by)
		if !ok || len(read.groups) == maxGroups {
			return appsRequest{}, refused("app")
		}
		read.groups = append(read.groups, group)
	}
	return read, nil
}

// appCommand carries out a command of the list of apps, and says the answer.
func (t *tunnel) appCommand(words string) {
	if t.apps == nil {
		sendMessage("app", "off")
		return
	}
	command, value, _ := strings.Cut(words, " ")
	answer, err := "refused", error(nil)
	group, isGroup := parseGroupPath(value, t.caller)
	switch {
	case command == "list" && value == "":
		sendMessage(append([]any{"app", "listed"}, optional(t.apps.listed())...)...)
		return
	case command == "add" && isGroup:
		answer, err = t.apps.add(group)
	case command == "remove" && isGroup:
		answer, err = t.apps.remove(group)
	case command == "move":
		answer, err = t.apps.own.move(value)
	case command == "names":
		answer, err = t.apps.useNetworkNames(value)
	}
	sendMessage("app", answer)
	reportProblem("app-"+answer, err)
}
