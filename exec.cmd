@rem npm scripts begin with exec, so that under sh a signal to npm reaches the program. Here it runs what follows.
@%*
