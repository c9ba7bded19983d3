import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { appIcon } from './app-icon'
import { type AppPlaces, appPlaces, installedApp, installedApps } from './installed-apps'

function places(
  files: Readonly<Record<string, string | Buffer>>,
  ...folders: string[]
): AppPlaces & { root: string } {
  const root = mkdtempSync(join(tmpdir(), 'apps-'))
  onTestFinished(() => {
    rmSync(root, { recursive: true })
  })
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return { root, folders: folders.map((folder) => join(root, folder)), desktops: [], path: root }
}

const entry = (name: string, more = '') => `[Desktop Entry]\nType=Application\nName=${name}\n${more}`

it('finds the apps of all folders, the first of each ID, by name', async () => {
  const found = places(
    {
      'own/applications/firefox.desktop': entry('My Firefox'),
      'system/applications/firefox.desktop': entry('Firefox'),
      'system/applications/zebra.desktop': entry('Äpfel'),
      'system/applications/kde/kate.desktop': entry('Kate'),
      'system/applications/hidden.desktop': entry('Hidden', 'NoDisplay=true'),
      'system/applications/README.txt': entry('No entry'),
      'own/applications/removed.desktop': entry('Removed', 'Hidden=true'),
      'system/applications/removed.desktop': entry('Removed'),
    },
    'own',
    'system',
    'missing',
  )
  const apps = await installedApps(['de'], found)
  expect(apps.map(({ id, name }) => [id, name])).toEqual([
    ['zebra', 'Äpfel'],
    ['kde-kate', 'Kate'],
    ['firefox', 'My Firefox'],
  ])
})

it('finds one app without the entries of others, as among all', async () => {
  const found = places(
    {
      'own/applications/firefox.desktop': entry('My Firefox'),
      'own/applications/removed.desktop': entry('Removed', 'Hidden=true'),
      'system/applications/firefox.desktop': entry('Firefox'),
      'system/applications/kde/kate.desktop': entry('Kate'),
      'system/applications/a/b/c/my-app.desktop': entry('My app'),
      'system/applications/a/b/c/d/deep.desktop': entry('Too deep'),
      'system/applications/removed.desktop': entry('Removed'),
      'system/applications/hidden.desktop': entry('Hidden', 'NoDisplay=true'),
      'system/outside.desktop': entry('Outside'),
    },
    'own',
    'system',
  )
  const all = await installedApps([], found)
  expect(all).toHaveLength(3)
  for (const app of all) expect(await installedApp(app.id, [], found)).toEqual(app)
  for (const id of ['removed', 'hidden', 'a-b-c-d-deep', 'missing', '..-outside', '../outside', '-firefox'])
    expect(await installedApp(id, [], found)).toBeUndefined()
})

it('leaves out apps whose program is missing', async () => {
  const found = places(
    {
      'system/applications/there.desktop': entry('There', `TryExec=${process.execPath}`),
      'system/applications/gone.desktop': entry('Gone', 'TryExec=/usr/bin/not-there'),
      'system/applications/elsewhere.desktop': entry('Elsewhere', 'TryExec=not-there'),
    },
    'system',
  )
  expect((await installedApps([], found)).map(({ id }) => id)).toEqual(['there'])
})

it.skipIf(process.platform === 'win32')('leaves out what is no small file, and waits for none', async () => {
  const found = places(
    {
      'system/applications/good.desktop': entry('Good'),
      'system/applications/large.desktop': entry('Large', '#'.repeat(300_000)),
      'system/applications/with,comma.desktop': entry('Comma'),
    },
    'system',
  )
  const folder = join(found.root, 'system/applications')
  execFileSync('mkfifo', [join(folder, 'pipe.desktop')])
  symlinkSync('loop.desktop', join(folder, 'loop.desktop'))
  symlinkSync('/dev/zero', join(folder, 'device.desktop'))
  symlinkSync('..', join(folder, 'around'))
  mkdirSync(join(folder, 'folder.desktop'))
  expect((await installedApps([], found)).map(({ id }) => id)).toEqual(['good'])
})

it('looks where the desktop says, and otherwise in the usual folders', () => {
  const flatpak = ['/home/a/.local/share/flatpak/exports/share', '/var/lib/flatpak/exports/share']
  expect(appPlaces({}, '/home/a').folders).toEqual([
    '/home/a/.local/share',
    '/usr/local/share',
    '/usr/share',
    ...flatpak,
    '/var/lib/snapd/desktop',
  ])
  const env = {
    XDG_DATA_HOME: '/data',
    XDG_DATA_DIRS: 'relative:/one:/var/lib/snapd/desktop',
    XDG_CURRENT_DESKTOP: 'ubuntu:GNOME',
  }
  expect(appPlaces(env, '/home/a')).toMatchObject({
    folders: ['/data', '/one', '/var/lib/snapd/desktop', ...flatpak],
    desktops: ['ubuntu', 'GNOME'],
  })
})

it('finds icons by name in themes and by path', async () => {
  const png = Buffer.from('\u0089PNG\r\n\u001a\n', 'latin1')
  const found = places(
    {
      'system/icons/hicolor/16x16/apps/one.png': Buffer.concat([png, Buffer.from('small')]),
      'system/icons/hicolor/48x48/apps/one.png': png,
      'system/icons/hicolor/scalable/apps/two.svg': '<?xml version="1.0"?><svg></svg>',
      'system/pixmaps/three.png': png,
      'system/pixmaps/page.svg': '<html></html>',
      'elsewhere/four.png': png,
      'secret.png': 'a secret',
    },
    'system',
  )
  const url = `data:image/png;base64,${png.toString('base64')}`
  expect(await appIcon('one', found)).toBe(url)
  expect(await appIcon('one.png', found)).toBe(url)
  expect(await appIcon('two', found)).toMatch(/^data:image\/svg\+xml;base64,/)
  expect(await appIcon('three', found)).toBe(url)
  expect(await appIcon(join(found.root, 'elsewhere/four.png'), found)).toBe(url)
  for (const none of [
    'missing',
    '../../elsewhere/four',
    'page',
    '',
    '.',
    join(found.root, 'secret.png'),
    join(found.root, 'system'),
  ])
    expect(await appIcon(none, found)).toBeUndefined()
})
