import type { Command } from 'commander'
import { CausewayError } from '../../errors'
import { expiryAt } from '../../connection/expiry'
import type { Instance } from '../../portal/instance/instance'
import type { KeyPair } from '../../portal/v2/key-pair'
import { onInstance, withInstanceArgument } from '../context'
import { t } from '../language'
import { localTime } from '../screen'
import { table, type Terminal } from '../terminal'
import { timeLeftText } from '../time-left'

export function addCertificateCommands(program: Command): void {
  const certificate = program.command('certificate').description('manage your certificate for an instance')

  withInstanceArgument(certificate.command('show').description('show the certificate')).action(
    onInstance(async ({ instance, services, terminal, signal }) => {
      const keyPair = await (await services.certificates(instance, signal)).load()
      if (keyPair === undefined) throw noCertificate()
      show(terminal, instance, keyPair)
    }),
  )

  withInstanceArgument(
    certificate.command('check').description('ask the instance whether it accepts the certificate'),
  ).action(
    onInstance(async (context) => {
      const { instance } = context
      const certificates = await context.services.certificates(instance, context.signal)
      const keyPair = await certificates.load()
      if (keyPair === undefined) throw noCertificate()
      const check = await context.authorized(instance, () => certificates.check(keyPair, context.signal))
      context.terminal.result(
        { instance: instance.id, commonName: keyPair.commonName, ...check },
        check.isValid
          ? t('terminal.certificate.accepted', { instance: instance.id })
          : t('terminal.certificate.refused', { instance: instance.id, reason: check.reason }),
      )
    }),
  )

  withInstanceArgument(certificate.command('renew').description('get a new key pair and certificate')).action(
    onInstance(async (context) => {
      const { instance } = context
      const certificates = await context.services.certificates(instance, context.signal)
      const keyPair = await context.authorized(instance, () => certificates.renew(context.signal))
      show(context.terminal, instance, keyPair)
    }),
  )
}

function show(terminal: Terminal, instance: Instance, { commonName, notBefore, notAfter }: KeyPair): void {
  const { timeLeft: left, renewable } = expiryAt({ notBefore, notAfter }, new Date())
  terminal.result(
    { instance: instance.id, commonName, notBefore, notAfter },
    table(
      [],
      [
        [t('terminal.certificate.instance'), instance.id],
        [t('terminal.certificate.commonName'), commonName],
        [t('terminal.certificate.from'), localTime(notBefore)],
        [t('terminal.certificate.until'), localTime(notAfter)],
        [t('terminal.certificate.left'), timeLeftText(left)],
      ],
    ),
  )
  if (renewable) terminal.note(t('terminal.certificate.renewBoth', { instance: instance.id }))
}

function noCertificate(): CausewayError {
  return new CausewayError('certificate/none')
}
