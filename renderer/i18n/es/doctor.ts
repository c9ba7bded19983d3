import type { Translation } from '../translation'

/** The texts of the view of what Causeway needs of the computer, in Spanish. */
export const doctor: Translation['doctor'] = {
  title: 'Diagnóstico',
  text: 'Lo que Causeway necesita de este equipo, y qué hacer si falta algo.',
  link: 'Comprobar este equipo',
  linkText: 'Busca todo lo que Causeway necesita e indica qué hacer si falta algo.',
  checking: 'Comprobando…',
  again: 'Volver a comprobar',
  remedy: 'En un terminal:',
  summary: {
    ok: 'Todo lo que Causeway necesita está aquí.',
    limited: 'Causeway funciona aquí, pero no por completo.',
    missing: 'Falta algo que Causeway necesita.',
  },
  word: {
    ok: 'En orden',
    limited: 'Limitado',
    missing: 'Falta',
  },
  name: {
    openvpn: 'OpenVPN',
    service: 'Servicio de OpenVPN',
    rights: 'Permisos',
    helper: 'Componente auxiliar',
    'tun-device': 'Dispositivo de túnel',
    'key-store': 'Almacén de claves',
    dns: 'Servidores DNS',
    'kill-switch': 'Kill switch',
  },
  what: {
    'openvpn-found': 'OpenVPN {{version}} en {{path}}.',
    'openvpn-unusable': 'No hay ningún OpenVPN que se pueda usar.',
    'service-ready': 'El servicio de OpenVPN está en ejecución e inicia conexiones para ti.',
    'service-missing':
      'El servicio de OpenVPN no está en ejecución, así que no hay túnel sin permisos de administrador.',
    'service-without-powershell':
      'El servicio de OpenVPN está en ejecución, pero Windows no deja que Causeway ejecute PowerShell, que cierra una conexión si Causeway desaparece.',
    'service-not-for-you':
      'El servicio de OpenVPN está en ejecución, pero tu cuenta no pertenece a ninguno de los grupos para los que suele iniciar conexiones.',
    'rights-of-service': 'El servicio de OpenVPN configura el dispositivo de red y las rutas.',
    'rights-of-helper': 'El componente auxiliar configura el dispositivo de red y las rutas.',
    'rights-of-process': 'Causeway puede configurar por sí mismo un dispositivo de red y las rutas.',
    'rights-need-helper': 'Causeway no puede crear un dispositivo de red, así que todavía no hay túnel.',
    'rights-need-service': 'Causeway no puede crear un dispositivo de red, así que todavía no hay túnel.',
    'helper-ready': '{{path}} está aquí y se puede usar.',
    'helper-missing':
      'El componente auxiliar no está instalado: no hay servidores DNS de una VPN, ni kill switch, ni túnel sin root.',
    'helper-missing-macos':
      'El componente auxiliar no está instalado: no hay túnel sin root, ni servidores DNS de una VPN.',
    'helper-not-built': 'El componente auxiliar no está instalado y esta copia de Causeway no lo incluye.',
    'helper-not-used':
      '{{path}} no se usa: podría modificarlo alguien que no es root, o no están aquí ni pkexec ni sudo.',
    'tun-ready': '{{path}} se puede abrir.',
    'tun-absent': 'No existe {{path}}.',
    'tun-denied': 'No tienes permiso para abrir {{path}}.',
    'key-store-ready': 'Se ha escrito en el almacén de claves y se ha vuelto a leer.',
    'key-store-differs': 'El almacén de claves ha devuelto algo distinto de lo que se escribió.',
    'key-store-unusable': 'No se puede usar el almacén de claves.',
    'dns-ready': '{{program}} está aquí para configurar los servidores DNS.',
    'dns-missing':
      'No están aquí ni resolvectl ni resolvconf, así que no se pueden configurar los servidores DNS de una VPN.',
    'nft-found': 'nftables está aquí para el kill switch.',
    'nft-missing': 'No está aquí nftables, que el kill switch necesita.',
  },
  todo: {
    'openvpn-unusable': 'Instala OpenVPN 2.5 o posterior, o indícalo en los ajustes.',
    'service-missing':
      'Instala OpenVPN con su servicio, o inicia el servicio de Windows «OpenVPN Interactive Service».',
    'service-without-powershell': 'Pide al administrador de este equipo que te permita usar PowerShell.',
    'service-not-for-you':
      'Pide a un administrador que añada tu cuenta al grupo «OpenVPN Administrators» y vuelve a iniciar sesión en Windows.',
    'rights-need-helper': 'Instala el componente auxiliar.',
    'rights-need-service':
      'Instala OpenVPN con su servicio. No hace falta ejecutar Causeway como administrador.',
    'helper-missing': 'Instala el componente auxiliar.',
    'helper-missing-macos': 'Instala el componente auxiliar.',
    'helper-not-built': 'Instala Go; después compila e instala el componente auxiliar.',
    'helper-not-used':
      'Instala pkexec (en Debian, pkexec y polkitd) y vuelve a instalar después el componente auxiliar.',
    'tun-absent': 'Carga el módulo del núcleo del dispositivo.',
    'tun-denied': 'Permite que cualquier usuario abra el dispositivo, como hacen los escritorios.',
    'key-store-differs':
      'Desbloquea el almacén de claves, o cierra la sesión de este equipo y vuelve a entrar.',
    'key-store-unusable': 'Desbloquea o inicia el almacén de claves de tu escritorio.',
    'dns-missing': 'Instala systemd-resolved o resolvconf.',
    'nft-missing': 'Instala nftables.',
  },
}
