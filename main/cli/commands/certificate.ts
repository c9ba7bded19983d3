import type { Command } from 'commander'
import { CausewayError } from '../../errors'
import { expiryAt, timeLeftText } from '../../connection/expiry'
import type { Instance } from '../../portal/instance/instance'
import type { KeyPair } from '../../portal/v2/key-pair'
import { action } from '../context'
import { table, type Terminal } from '../terminal'

export function addCertificateCommands(program: Command): void {
  const certificate = program.command('certificate').description('manage your certificate for an instance')

  certificate
    .command('show')
    .description('show the certificate')
    .argument('[instance]', "the instance's ID or address")
    .action(
      action<[string | undefined, object]>(async ({ services, terminal }, idOrAddress) => {
        const instance = await services.instances.find(idOrAddress)
        const keyPair = await services.certificates(instance).load()
        if (keyPair === undefined) throw noCertificate(instance)
        show(terminal, instance, keyPair)
      }),
    )

  certificate
    .command('check')
    .description('ask the instance whether it accepts the certificate')
    .argument('[instance]', "the instance's ID or address")
    .action(
      action<[string | undefined, object]>(async (context, idOrAddress) => {
        const instance = await context.services.instances.find(idOrAddress)
        const keyPair = await context.services.certificates(instance).load()
        if (keyPair === undefined) throw noCertificate(instance)
        const check = await context.authorized(instance, () =>
          context.services.certificates(instance).check(keyPair, context.signal),
        )
        context.terminal.result(
          { instance: instance.id, commonName: keyPair.commonName, ...check },
          check.isValid
            ? `${instance.id} accepts your certificate.`
            : `${instance.id} doesn't accept your certificate: ${check.reason}.`,
        )
      }),
    )

  certificate
    .command('renew')
    .description('get a new key pair and certificate')
    .argument('[instance]', "the instance's ID or address")
    .action(
      action<[string | undefined, object]>(async (context, idOrAddress) => {
        const instance = await context.services.instances.find(idOrAddress)
        const keyPair = await context.authorized(instance, () =>
          context.services.certificates(instance).renew(context.signal),
        )
        show(context.terminal, instance, keyPair)
      }),
    )
}

function show(terminal: Terminal, instance: Instance, { commonName, notBefore, notAfter }: KeyPair): void {
  const { left, renewable } = expiryAt({ notBefore, notAfter }, new Date())
  terminal.result(
    { instance: instance.id, commonName, notBefore, notAfter },
    table(
      [],
      [
        ['Instance', instance.id],
        ['Common name', commonName],
        ['Valid from', notBefore.toISOString()],
        ['Valid until', notAfter.toISOString()],
        ['Time left', timeLeftText(left)],
      ],
    ),
  )
  if (renewable)
    terminal.note(`Your login expires with it. To renew both, run: causeway login --renew ${instance.id}`)
}

function noCertificate(instance: Instance): CausewayError {
  return new CausewayError(
    'certificate/none',
    `You don't have a certificate for ${instance.id} yet. To get one, connect or run: causeway certificate renew`,
  )
}
