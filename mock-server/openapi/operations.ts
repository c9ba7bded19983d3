/** Methods that a path of an OpenAPI document can have. */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const
