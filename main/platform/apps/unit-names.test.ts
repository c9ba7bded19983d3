import { expect, it } from 'vitest'
import { appOfUnit } from './unit-names'

it.each([
  ['app-gnome-org.gnome.Calculator-4711.scope', 'org.gnome.Calculator'],
  ['app-gnome-google\\x2dchrome-4711.scope', 'google-chrome'],
  ['app-org.kde.konsole-0123456789abcdef0123456789abcdef.scope', 'org.kde.konsole'],
  ['app-flatpak-org.mozilla.firefox-4711.scope', 'org.mozilla.firefox'],
  ['app-org.kde.kate@0123456789abcdef.service', 'org.kde.kate'],
  ['app-firefox\\x2desr@autostart.service', 'firefox-esr'],
  ['app-gnome-firefox-4711.service', 'firefox'],
  ['app-gnome-caf\\xc3\\xa9-1.scope', 'café'],
  ['snap.firefox.firefox-6bd67ea5-1d2c-4b6e-8d3a-0123456789ab.scope', 'firefox_firefox'],
  ['dbus-:1.2-org.gnome.Nautilus@0.service', 'org.gnome.Nautilus'],
])('%s is the app %s', (unit, id) => {
  expect(appOfUnit(unit)).toBe(id)
})

it.each([
  'vte-spawn-0123.scope',
  'run-r0123.scope',
  'app.slice',
  'app-causeway_outside.slice',
  'app-4711.scope',
  'app--4711.scope',
  // An ID whose hyphens aren't escaped could be that of another app with a launcher.
  'app-a-b-c-4711.scope',
  'app-gnome-..\\x2f..\\x2fetc-1.scope',
  'app-gnome-\\xff-1.scope',
  'app-gnome-line\\x0aend-1.scope',
  `app-gnome-${'a'.repeat(300)}-1.scope`,
  'pipewire.service',
  '',
])('%j is no app', (unit) => {
  expect(appOfUnit(unit)).toBeUndefined()
})
