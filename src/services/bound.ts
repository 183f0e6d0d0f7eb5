/** Use cases of a room, joined to what they work on: the API then calls them by what a request has alone. */

/** Takes the first argument, the same for all use cases of a room; the rest of each use case stays as it is, types included. */
export function bound<Deps>(deps: Deps) {
  return <Args extends readonly unknown[], Result>(useCase: (deps: Deps, ...args: Args) => Result) =>
    (...args: Args): Result =>
      useCase(deps, ...args);
}
