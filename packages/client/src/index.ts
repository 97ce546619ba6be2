export { type Client, clientOver, createClient, type Endpoint } from './create-client.ts'
export { ApiError, UnreachableError } from './errors.ts'
export { createHttp } from './http.ts'
export { piecesOf } from './lines.ts'
