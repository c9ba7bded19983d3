import { readFile, writeFile } from 'node:fs/promises'

/** The operators mean "begins with" and "contains", without regard to case. Removing and repairing are always possible. */
const condition = `<Condition Message="Causeway can only be installed in a folder of [ProgramFiles64Folder], where other users of this computer can't change its programs.">${[
  'Installed OR NOT APPLICATIONFOLDER OR',
  '((APPLICATIONFOLDER ~&lt;&lt; ProgramFiles64Folder OR APPLICATIONFOLDER ~&lt;&lt; ProgramFilesFolder)',
  'AND NOT APPLICATIONFOLDER &gt;&lt; ".." AND NOT APPLICATIONFOLDER &gt;&lt; "/")',
].join(' ')}</Condition>`

const place = '<MajorUpgrade '

/** Has the MSI refuse folders outside "Program Files", as build/windows/installer.nsh does. */
export async function msiProjectCreated(file) {
  const project = await readFile(file, 'utf8')
  if (project.split(place).length !== 2) throw new Error(`The MSI's project has not one ${place.trim()}>.`)
  await writeFile(
    file,
    project.replace(place, () => condition + place),
  )
}
