/** One call of a document: the operation, and a text that its answer contains. */
export interface DocumentCall {
  /** The name of the document; `all` is that of every interface. */
  document: string
  /** The class of its calls, as the generator for Python names it. */
  api: string
  operation: string
  /** The path, and the parameters by place. */
  path: string
  parameters?: {
    query?: Record<string, unknown>
    header?: Record<string, string>
    path?: Record<string, string>
  }
  answer: string
}

const scenarios = {
  api: 'ControlApi',
  operation: 'getMockScenarios',
  path: '/_mock/scenarios',
  answer: 'all-well',
}

/** A call of each document. */
export const documentCalls: readonly DocumentCall[] = [
  {
    document: 'vpn',
    api: 'VPNApplicationAPIApi',
    operation: 'getProfileList',
    path: '/api/vpn/profile_list',
    answer: 'internet',
  },
  {
    document: 'vpn3',
    api: 'VPNApplicationAPIVersion3Api',
    operation: 'getInfo',
    path: '/api/v3/info',
    answer: 'internet',
  },
  {
    document: 'discovery',
    api: 'DiscoveryServerApi',
    operation: 'getDiscoveryServerListJson',
    path: '/discovery/server_list.json',
    answer: 'secure_internet',
  },
  {
    document: 'attachments',
    api: 'AttachmentsServiceApi',
    operation: 'getAttachments',
    path: '/v2.0.0/attachments/',
    parameters: { header: { 'x-user-roles': 'CONTRIBUTOR,ADMINISTRATOR', 'x-user-id': 'tester' } },
    answer: 'COMPLETED',
  },
  {
    document: 'storage',
    api: 'ObjectStorageApi',
    operation: 'getStorageByAttachmentIdByFile',
    path: '/storage/{attachmentId}/{file}',
    // The parameters of a pre-signed URL are those of the document's example; the answer is the size of the file.
    answer: 'bytes',
  },
  {
    document: 'content',
    api: 'ContentAPIApi',
    operation: 'getClub',
    path: '/2.3/club',
    answer: 'Onion routing',
  },
  {
    document: 'organizations',
    api: 'OrganizationAPIApi',
    operation: 'getOrg',
    path: '/api/org',
    answer: 'Mock University',
  },
  { document: 'control', ...scenarios },
  { document: 'all', ...scenarios },
]

/** The parameters of a call as a generator names them, in order: path, query, header. */
function namedParameters({ parameters = {} }: DocumentCall): [name: string, value: string][] {
  const { path = {}, query = {}, header = {} } = parameters
  return Object.entries({ ...query, ...path, ...header }).map(([name, value]) => [name, String(value)])
}

const camel = (name: string) => name.replace(/-(\w)/g, (_match, letter: string) => letter.toUpperCase())
const snake = (name: string) =>
  name.replaceAll('-', '_').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1)
const literal = (value: string) => JSON.stringify(value)

/** The programs take an origin, an access token and a file with the CA's certificate, and print the answer. */
export const programs = {
  /** `order` has the names of all parameters, which Java gives by position. */
  java: (call: DocumentCall, order: readonly string[]) => {
    const given = new Map(namedParameters(call).map(([name, value]) => [name, literal(value)]))
    const api = call.api.replace(/^VPN/, 'Vpn').replace('API', 'Api')
    return `import mock.${call.document}.*;
import mock.${call.document}.api.*;

public class Call {
  public static void main(String[] words) throws Exception {
    ApiClient client = new ApiClient();
    client.setBasePath(words[0]);
    client.setBearerToken(words[1]);
    client.setSslCaCert(new java.io.FileInputStream(words[2]));
    Object answer = new ${api}(client).${call.operation}(${order.map((name) => given.get(name) ?? 'null').join(', ')});
    System.out.println(answer instanceof java.io.File file ? file.length() + " bytes" : answer);
  }
}
`
  },
  /** The JVM trusts the CA by a trust store. */
  kotlin: (call: DocumentCall) => `import mock.${call.document}.apis.*
import mock.${call.document}.infrastructure.ApiClient

fun main(words: Array<String>) {
  ApiClient.accessToken = words[1]
  val answer: Any = ${call.api}(words[0]).${call.operation}(${namedParameters(call)
    .map(([name, value]) => `${camel(name)} = ${literal(value)}`)
    .join(', ')})
  println(if (answer is java.io.File) "\${answer.length()} bytes" else answer)
}
`,
  python: (call: DocumentCall) => `import sys
import mock_${call.document} as client

origin, token, ca = sys.argv[1:]
configuration = client.Configuration(host=origin, access_token=token, ssl_ca_cert=ca)
with client.ApiClient(configuration) as connection:
    answer = client.${call.api}(connection).${snake(call.operation)}(${namedParameters(call)
      .map(([name, value]) => `${snake(name)}=${literal(value)}`)
      .join(', ')})
print(f"{len(answer)} bytes" if isinstance(answer, (bytes, bytearray)) else answer)
`,
  go: (call: DocumentCall) => {
    const named = (place: 'path' | 'query' | 'header') =>
      namedParameters({ ...call, parameters: { [place]: call.parameters?.[place] ?? {} } })
    const chosen = [...named('query'), ...named('header')].map(
      ([name, value]) => `.${capital(camel(name))}(${literal(value)})`,
    )
    const path = named('path').map(([, value]) => `, ${literal(value)}`)
    const service = call.api.replace(/Api$/, 'API')
    return `package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	client "generated/${call.document}"
)

func main() {
	authority, err := os.ReadFile(os.Args[3])
	if err != nil {
		panic(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Args[1]}}
	configuration.HTTPClient = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}}
	asked := context.WithValue(context.Background(), client.ContextAccessToken, os.Args[2])
	answer, _, err := client.NewAPIClient(configuration).${service}.${capital(call.operation)}(asked${path.join('')})${chosen.join('')}.Execute()
	if err != nil {
		panic(err)
	}
	print(answer)
}

func print(answer any) {
	if file, isFile := answer.(*os.File); isFile {
		status, err := file.Stat()
		if err != nil {
			panic(err)
		}
		fmt.Println(status.Size(), "bytes")
		return
	}
	text, err := json.Marshal(answer)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(text))
}
`
  },
  typescript: (call: DocumentCall) => {
    const isFile = call.answer === 'bytes'
    const options = {
      ...(call.parameters && { params: call.parameters }),
      ...(isFile && { parseAs: 'arrayBuffer' }),
    }
    return `import createClient from 'openapi-fetch'
import type { paths } from './${call.document}.ts'

const [origin = '', token = ''] = process.argv.slice(2)
const client = createClient<paths>({ baseUrl: origin, headers: { authorization: \`Bearer \${token}\` } })
const { data } = await client.GET(${literal(call.path)}, ${JSON.stringify(options)})
if (data === undefined) throw new Error('There is no answer.')
console.log(${isFile ? '`${(data as unknown as ArrayBuffer).byteLength} bytes`' : 'JSON.stringify(data)'})
`
  },
} as const
export type Generator = keyof typeof programs
