/** `node-fetch` is the `fetch` that is there already. */
export default Object.assign((url: unknown, options?: object) => fetch(String(url), options), { default: fetch })
