import { call, doAndSay } from './control'
import { byId, element } from './dom'

export interface ListedScenario {
  name: string
  part: string
  sentence: string
}

const allWell = 'all-well'
const titles: Record<string, string> = {
  general: 'Everything',
  vpn: 'VPN instance',
  attachments: 'Attachments',
  content: 'Content',
  organizations: 'Organizations',
}

let scenarios: ListedScenario[] = []
let inForce = allWell

/** Sets up a scenario by its name. */
export function setUp(name: string): void {
  doAndSay(
    call('POST', `/scenarios/${encodeURIComponent(name)}`),
    name === allWell ? 'All is well.' : `In force: ${name}`,
  )
}

function show(): void {
  const words = byId('scenario-filter', HTMLInputElement).value.toLowerCase().split(/\s+/)
  const wanted = scenarios.filter(({ name, sentence }) =>
    words.every((word) => `${name} ${sentence}`.toLowerCase().includes(word)),
  )
  const parts = [...new Set(wanted.map(({ part }) => part))]
  byId('no-scenarios', HTMLParagraphElement).hidden = wanted.length > 0
  byId('scenarios', HTMLDivElement).replaceChildren(
    ...parts.flatMap((part) => [
      element('h3', {}, titles[part] ?? part),
      element(
        'div',
        { class: 'scenarios' },
        ...wanted
          .filter((scenario) => scenario.part === part)
          .map(({ name, sentence }) =>
            element(
              'button',
              {
                class: 'scenario',
                id: `scenario-${name}`,
                'aria-pressed': name === inForce,
                onclick: () => {
                  setUp(name)
                },
              },
              element('strong', {}, name),
              element('span', {}, sentence),
            ),
          ),
      ),
    ]),
  )
}

function mark(): void {
  for (const { name } of scenarios) {
    document.getElementById(`scenario-${name}`)?.setAttribute('aria-pressed', String(name === inForce))
  }
}

/** Shows the scenarios that there are. */
export function showScenarios(listed: ListedScenario[]): void {
  scenarios = listed
  show()
}

/** Marks the one in force, without taking the focus away. */
export function showInForce(name: string): void {
  inForce = name
  const situation = byId('situation', HTMLParagraphElement)
  situation.hidden = false
  situation.textContent = name === allWell ? 'All well' : name
  situation.classList.toggle('wrong', name !== allWell)
  mark()
}

/** Listens to the filter and to the button that takes everything back. */
export function startScenarios(): void {
  byId('scenario-filter', HTMLInputElement).addEventListener('input', show)
  byId('all-well', HTMLButtonElement).addEventListener('click', () => {
    setUp(allWell)
  })
}
