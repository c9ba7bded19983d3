import { dirname, posix, relative, sep } from 'node:path'

/** Lint rules of this project, in JavaScript, because Oxlint loads them as they are. */

const root = dirname(dirname(import.meta.dirname))

const everyones = [
  'errors',
  'emitter',
  'reporter',
  'serial',
  'timer',
  'duration-text',
  'json',
  'loose',
  'timestamp',
  'brand',
]

/**
 * Import rules inside main/: each folder and the folders it may use. Anything else is refused, so that a new dependency
 * is a deliberate decision. Every folder may use the files of `everyones`.
 */
const mainFolders = {
  'platform/http': [],
  'platform/clock': ['platform/http'],
  'platform/signed-list': ['platform/http', 'platform/storage'],
  'platform/storage': ['platform/child-process/silent-place.ts'],
  'platform/child-process': [],
  'platform/secret-store': ['platform/storage/while-answering.ts'],
  'platform/settings': ['platform/child-process', 'platform/storage'],
  'platform/autostart': ['platform/child-process', 'platform/settings', 'platform/storage'],
  'platform/network': ['platform/child-process', 'platform/http'],
  'platform/routes': ['platform/child-process'],
  'platform/traffic': ['platform/child-process'],
  'platform/apps': ['platform/child-process', 'platform/storage'],
  'platform/log': ['platform/http', 'platform/secret-store', 'platform/storage'],
  privilege: ['platform/child-process', 'platform/http', 'platform/storage'],
  // Shared by all protocols; each protocol has its own folder.
  'tunnel/tunnel.ts': [],
  'tunnel/*.ts': ['platform/apps', 'platform/routes', 'platform/traffic', 'privilege', 'tunnel'],
  'tunnel/openvpn': [
    'privilege',
    'platform/child-process',
    'platform/http/only-ipv6.ts',
    'platform/http/rsa-keys.testing.ts',
    'platform/routes',
    'platform/storage/while-answering.ts',
    'platform/traffic',
    'tunnel/joined-spaces.testing.ts',
    'tunnel/open-tunnel.ts',
    'tunnel/name-servers.ts',
    'tunnel/printable.ts',
    'tunnel/program-tunnel.ts',
    'tunnel/tunnel.ts',
  ],
  'tunnel/wireguard': [
    'privilege',
    'platform/child-process',
    // ProxyGuard is a client of an https server.
    'platform/http',
    'platform/routes',
    'platform/traffic',
    'tunnel/after-up.ts',
    'tunnel/open-tunnel.ts',
    'tunnel/name-servers.ts',
    'tunnel/printable.ts',
    'tunnel/program-tunnel.ts',
    'tunnel/tunnel.ts',
  ],
  'portal/instance': ['platform/http', 'platform/storage', 'portal/portal.ts'],
  'portal/discovery': ['platform/http', 'portal/instance'],
  'portal/organization-list': [
    'platform/http',
    'platform/signed-list',
    'platform/storage',
    'portal/instance',
    'portal/localized-value.ts',
    'portal/portal.ts',
  ],
  updates: ['platform/http', 'platform/signed-list', 'platform/storage'],
  'portal/oauth': ['platform/http', 'portal/discovery', 'portal/instance', 'platform/secret-store'],
  // Shared by all versions of the API; open-portal.ts knows their folders.
  'portal/*.ts': ['portal', 'platform/http', 'platform/secret-store', 'platform/storage', 'tunnel/tunnel.ts'],
  'portal/v2': [
    'platform/http',
    'portal/instance',
    'portal/oauth',
    'portal/api-errors.ts',
    'portal/localized-value.ts',
    'portal/portal.ts',
    'platform/secret-store',
  ],
  'portal/v3': [
    'platform/http',
    'portal/instance',
    'portal/oauth',
    'portal/api-errors.ts',
    'portal/localized-value.ts',
    'portal/portal.ts',
    'platform/secret-store',
    'tunnel/tunnel.ts',
  ],
  connection: [
    'platform/http',
    'platform/network',
    'platform/storage',
    'portal/oauth',
    'portal/portal.ts',
    'tunnel/after-up.ts',
    'tunnel/timed-out.ts',
    'tunnel/tunnel.ts',
  ],
  'services/attachments': ['platform/http', 'platform/storage', 'portal/instance'],
  'services/news': ['platform/http'],
  'services/organizations': ['platform/http', 'platform/secret-store'],
  'services/offline-cache': ['platform/http', 'platform/storage'],
  app: ['connection', 'platform', 'portal', 'privilege', 'services', 'tunnel', 'updates'],
  // The models of the state know no command; the handlers change them.
  'commands/models': ['app', 'connection', 'platform', 'portal', 'privilege', 'services', 'updates'],
  'commands/*.ts': [
    'app',
    'commands',
    'connection',
    'platform',
    'portal',
    'privilege',
    'services',
    'updates',
  ],
  cli: ['app', 'commands', 'connection', 'platform', 'portal', 'privilege', 'services'],
  // An installed app also contains the terminal command.
  desktop: ['app', 'cli', 'commands', 'connection', 'platform', 'portal', 'privilege', 'services', 'updates'],
}

/** Forbidden imports of each top-level folder. Tests and their helpers also use the mock server. */
const forbidden = [
  {
    files: /^renderer\//,
    imports: /^(?:main|preload|mock-server|e2e)\//,
    message: 'renderer/ knows the rest only through contract/.',
  },
  {
    files: /^mock-server\//,
    imports: /^(?:contract|main|preload|renderer|e2e)\//,
    message: 'mock-server/ is an independent reading of the documents.',
  },
  {
    files: /^(?:contract|main|preload)\/(?!.*\.(?:test|testing)\.ts$)/,
    imports: /^mock-server\//,
    message: 'The app does not know the mock server; only its tests and their helpers do.',
  },
  {
    files: /^e2e\//,
    imports: /^(?:contract|main|preload|renderer|mock-server)\//,
    message: 'e2e/ starts the app and the mock server from outside.',
  },
  { files: /^main\//, imports: /^renderer\//, message: 'main/ knows the renderer only through contract/.' },
  {
    files: /^contract\//,
    imports: /^(?:main|preload|renderer)\//,
    message: 'contract/ is what main, preload and renderer share: it imports none of them.',
  },
  { files: /^preload\//, imports: /^(?:main|renderer)\//, message: 'preload/ imports contract/ only.' },
  {
    files: /^main\/(?:app|cli|commands|desktop)\/(?!.*\bcertificate\.ts$)/,
    imports: /^main\/portal\/v2\//,
    message: 'Only the commands `causeway certificate` know that version 2 has certificates.',
  },
]

/** Returns whether a file of main/ is in this folder. A folder that ends in `/*.ts` has only the files directly in it; one file is its own. */
function isIn(file, folder) {
  if (folder.endsWith('.ts') && !folder.endsWith('/*.ts')) return file === folder
  return folder.endsWith('/*.ts')
    ? posix.dirname(file) === folder.slice(0, -'/*.ts'.length)
    : file.startsWith(`${folder}/`)
}

/** Returns why a file may not import another, or undefined if it may. The paths are relative to the project's folder. */
export function importProblem(file, imported) {
  const broken = forbidden.find(({ files, imports }) => files.test(file) && imports.test(imported))
  if (broken !== undefined) return broken.message
  if (!file.startsWith('main/') || !imported.startsWith('main/')) return undefined
  const [own, other] = [file.slice('main/'.length), imported.slice('main/'.length)]
  for (const [folder, mayUse] of Object.entries(mainFolders)) {
    if (!isIn(own, folder) || isIn(other, folder)) continue
    const allowed = [...everyones.flatMap((name) => [`${name}.ts`, `${name}.testing.ts`]), ...mayUse]
    if (allowed.some((used) => other === used || `${other}.ts` === used || other.startsWith(`${used}/`)))
      continue
    return `main/${folder} may import only ${[...everyones, ...mayUse].join(', ')} (docs/architecture.md).`
  }
  return undefined
}

const imports = {
  create(context) {
    const file = relative(root, context.filename).replaceAll(sep, '/')
    const check = ({ source }) => {
      if (typeof source?.value !== 'string' || !source.value.startsWith('.')) return
      const message = importProblem(file, posix.join(posix.dirname(file), source.value))
      if (message !== undefined) context.report({ node: source, message })
    }
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    }
  },
}

/** Attributes and elements whose text the user sees or hears. */
const said =
  'JSXAttribute[name.name=/^(aria-label|aria-description|title|alt|label|description|placeholder|error)$/]'
const shown = `:matches(JSXElement, JSXFragment, ${said})`
const words = {
  create: (context) =>
    Object.fromEntries(
      [
        'JSXText[value=/\\p{L}{2}/u]',
        `${shown} > JSXExpressionContainer > Literal[value=/\\p{L}{2}/u]`,
        `${shown} > JSXExpressionContainer > TemplateLiteral > TemplateElement[value.raw=/\\p{L}{2}/u]`,
        `${said} > Literal[value=/\\p{L}{2}/u]`,
      ].map((selector) => [
        selector,
        (node) => {
          context.report({ node, message: 'Words come from contract/locales, in every language.' })
        },
      ]),
    ),
}

export default { meta: { name: 'causeway' }, rules: { imports, words } }
