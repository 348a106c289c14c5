/**
 * Returns a function that imports a module when it is needed first. To import what is loaded already would still be a turn
 * of the platform's event loop, in which everybody else's requests come first.
 */
export function loadOnce<Module>(load: () => Promise<Module>): () => Module | Promise<Module> {
  let loaded: Module | undefined
  // Requests that come meanwhile load too: one must not wait for another's promise.
  const loadFirst = async () => {
    loaded = await load()
    return loaded
  }
  return () => loaded ?? loadFirst()
}
