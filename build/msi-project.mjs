import { readFile, writeFile } from 'node:fs/promises'

/** The operators mean "begins with" and "contains", without regard to case. Removing and repairing are always possible. */
const condition = `<Condition Message="Causeway can only be installed in a folder of [ProgramFiles64Folder], where other users of this computer can't change its programs.">${[
  'Installed OR NOT APPLICATIONFOLDER OR',
  '((APPLICATIONFOLDER ~&lt;&lt; ProgramFiles64Folder OR APPLICATIONFOLDER ~&lt;&lt; ProgramFilesFolder)',
  'AND NOT APPLICATIONFOLDER &gt;&lt; ".." AND NOT APPLICATIONFOLDER &gt;&lt; "/")',
].join(' ')}</Condition>`

const place = '<MajorUpgrade '

const service = /<File (?=Name="causeway-service\.exe" )([^>]*)\/>/g

/** Every failure that stops the MSI is the service's own: Windows refused it, or it couldn't undo what it has changed. */
const failure = [
  "Causeway's service couldn't be installed or removed ([2]).",
  'It may not have undone everything that it has changed. Restart the computer, and try again.',
].join(' ')

/** Runs a word of the service's program with the rights of the installer, once or to undo it. */
const action = (id, word, how) =>
  `<CustomAction Id="${id}" FileKey="causewayService" ExeCommand="${word}" ${how} Impersonate="no"/>`

/**
 * The service installs itself. An update only stops it: a kill switch that is up stays. Removing Causeway removes it, its tunnel and the
 * kill switch. If that fails, nothing is removed, because the program that could undo the rest would be gone, and traffic might stay
 * blocked until a restart; the property leaves that to the administrator.
 */
const serviceActions = [
  '<Property Id="REMOVEANYWAY" Secure="yes"/>',
  action('installService', 'install', 'Execute="deferred" Return="check"'),
  action('undoService', 'remove', 'Execute="rollback" Return="ignore"'),
  action('removeService', 'remove', 'Execute="deferred" Return="check"'),
  action('removeServiceAnyway', 'remove', 'Execute="deferred" Return="ignore"'),
  '<InstallExecuteSequence>',
  // Not for an update, whose earlier version has it too.
  '<Custom Action="undoService" After="InstallFiles">NOT Installed AND NOT WIX_UPGRADE_DETECTED</Custom>',
  '<Custom Action="installService" After="undoService">NOT REMOVE</Custom>',
  // After StopServices, and before RemoveFiles, while the program is still there.
  '<Custom Action="removeService" Sequence="1901">REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE AND NOT REMOVEANYWAY</Custom>',
  '<Custom Action="removeServiceAnyway" Sequence="1902">REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE AND REMOVEANYWAY</Custom>',
  '</InstallExecuteSequence>',
  // In place of the sentence that blames the package. The number is that of a program that failed; [2] is the name of the action.
  `<UI><Error Id="1722">${failure}</Error></UI>`,
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
