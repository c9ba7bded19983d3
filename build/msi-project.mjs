import { readFile, writeFile } from 'node:fs/promises'

/** The operators mean "begins with" and "contains", without regard to case. Removing and repairing are always possible. */
const condition = `<Condition Message="Causeway can only be installed in a folder of [ProgramFiles64Folder], where other users of this computer can't change its programs.">${[
  'Installed OR NOT APPLICATIONFOLDER OR',
  '((APPLICATIONFOLDER ~&lt;&lt; ProgramFiles64Folder OR APPLICATIONFOLDER ~&lt;&lt; ProgramFilesFolder)',
  'AND NOT APPLICATIONFOLDER &gt;&lt; ".." AND NOT APPLICATIONFOLDER &gt;&lt; "/")',
].join(' ')}</Condition>`

const place = '<MajorUpgrade '

const service = /<File (?=Name="causeway-service\.exe" )([^>]*)\/>/g

/** Runs a word of the service's program with the rights of the installer, once or to undo it. */
const action = (id, word, how) =>
  `<CustomAction Id="${id}" FileKey="causewayService" ExeCommand="${word}" ${how} Impersonate="no"/>`

/**
 * The service installs itself. An update only stops it: a kill switch that is up stays. Removing Causeway removes it, its tunnel and the
 * kill switch, and goes on if that fails.
 */
const serviceActions = [
  action('installService', 'install', 'Execute="deferred" Return="check"'),
  action('undoService', 'remove', 'Execute="rollback" Return="ignore"'),
  action('removeService', 'remove', 'Execute="deferred" Return="ignore"'),
  '<InstallExecuteSequence>',
  // Not for an update, whose earlier version has it too.
  '<Custom Action="undoService" After="InstallFiles">NOT Installed AND NOT WIX_UPGRADE_DETECTED</Custom>',
  '<Custom Action="installService" After="undoService">NOT REMOVE</Custom>',
  '<Custom Action="removeService" After="StopServices">REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE</Custom>',
  '</InstallExecuteSequence>',
].join('')

/**
 * Has the MSI refuse folders outside "Program Files", and install Causeway's service, as build/windows/installer.nsh does.
 *
 * @throws Error for a project with other parts than those of electron-builder, or without the service
 */
export async function msiProjectCreated(file) {
  const project = await readFile(file, 'utf8')
  if (project.split(place).length !== 2) throw new Error(`The MSI's project has not one ${place.trim()}>.`)
  if (project.match(service)?.length !== 1)
    throw new Error("The MSI's project has not one causeway-service.exe.")
  const control = '<ServiceControl Id="causewayService" Name="CausewayService" Stop="both" Wait="yes"/>'
  await writeFile(
    file,
    project
      .replace(place, () => condition + serviceActions + place)
      .replace(service, (_file, attributes) => `<File Id="causewayService" ${attributes}/>${control}`),
  )
}
